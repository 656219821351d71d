# The server as a small image: docker build -t daide-server .
# How to run it: config/compose.yaml and docs/operating.md.
# What is installed has hashes: requirements/image.lock, written by `make lock`. The base
# image is named by its tag, since its digest has to be asked of a registry; to pin it:
#   docker build --build-arg PYTHON_IMAGE=python:3.12-slim@sha256:... -t daide-server .
ARG PYTHON_IMAGE=python:3.12-slim

FROM ${PYTHON_IMAGE} AS build
WORKDIR /source
COPY requirements requirements
RUN pip install --no-cache-dir --require-hashes --requirement requirements/image-build.lock \
    && pip install --no-cache-dir --require-hashes --prefix=/installed \
        --requirement requirements/image.lock
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY daide_server daide_server
COPY maps maps
COPY config config
RUN pip install --no-cache-dir --no-deps --no-build-isolation --prefix=/installed .

FROM ${PYTHON_IMAGE}
COPY --from=build /installed /usr/local
# Both folders can be written by any user, so that `docker run --user` works.
RUN useradd --system --uid 10001 --home-dir /nonexistent daide \
    && install --directory --owner=daide --mode=1777 /records /journal
USER daide
WORKDIR /records
VOLUME ["/records", "/journal"]
EXPOSE 16713
# SIGTERM keeps running games in the journal; their clients return to the next container.
STOPSIGNAL SIGTERM
# --host, --records and --journal /journal of serve, also if CMD is replaced.
ENV DAIDE_HOST=0.0.0.0 DAIDE_RECORDS=/records DAIDE_JOURNAL=/journal
# It follows DAIDE_PORT, as serve does. The start may read a long journal first.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["daide-server", "health"]
ENTRYPOINT ["daide-server"]
CMD ["serve"]

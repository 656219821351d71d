# The server as a small image: docker build -t daide-server .
# How to run it: config/compose.yaml and docs/operating.md.
FROM python:3.12-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY daide_server daide_server
COPY maps maps
COPY config config
RUN pip install --no-cache-dir --prefix=/installed .

FROM python:3.12-slim
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

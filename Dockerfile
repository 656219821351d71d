# The server as a small image: docker build -t daide-server .
FROM python:3.12-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY daide_server daide_server
COPY maps maps
COPY config config
RUN pip install --no-cache-dir --prefix=/installed .

FROM python:3.12-slim
COPY --from=build /installed /usr/local
RUN useradd --system --home-dir /nonexistent daide \
    && mkdir /records && chown daide /records
USER daide
VOLUME /records
EXPOSE 16713
# A client that sends the initial message is answered by the representation message.
HEALTHCHECK --interval=30s --timeout=5s CMD ["python", "-c", "import socket as s; c = s.create_connection(('127.0.0.1', 16713), 3); c.sendall(bytes.fromhex('000000040001DA10')); assert c.recv(1) == b'\\x01'"]
ENTRYPOINT ["daide-server"]
CMD ["serve", "--host", "0.0.0.0", "--records", "/records"]

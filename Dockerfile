FROM swift:6.3-bookworm AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends libmicrohttpd-dev libcurl4-openssl-dev libxxhash-dev libzstd-dev libbrotli-dev zlib1g-dev libsqlite3-dev libpq-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift Package.resolved ./
COPY Sources Sources
COPY Public Public
RUN swift build -c release --traits Tokens --product relist --static-swift-stdlib \
 && strip .build/release/relist \
 && mkdir /program && cp -r .build/release/relist .build/release/*.resources /program

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends libmicrohttpd12 libcurl4 libzstd1 libbrotli1 zlib1g libsqlite3-0 libpq5 ca-certificates curl \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --home-dir /data --create-home relist
# The program, and beside it the folders in which it looks for the page and what else it needs.
COPY --from=build /program /usr/local/bin
ENV RELIST_HOST=0.0.0.0 \
    RELIST_PORT=8080 \
    RELIST_DATABASE=/data/relist.sqlite
# The commit, for the metric `relist_build_info`: docker build --build-arg COMMIT="$(git rev-parse HEAD)".
ARG COMMIT
ENV RELIST_COMMIT=$COMMIT
USER relist
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=2s --start-period=10s \
    CMD curl -fsS "http://127.0.0.1:${RELIST_PORT}/healthz"
ENTRYPOINT ["relist"]
CMD ["serve"]

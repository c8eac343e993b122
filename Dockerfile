# One image for every process of Planwright: the API by default, workers and commands by their entry point.
FROM node:24-bookworm-slim

ENV NODE_ENV=production
WORKDIR /app

COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force

# The sources are what runs: Node strips the types.
COPY planwright tsconfig.json LICENSE ./
COPY src ./src
COPY workers ./workers
COPY migrations ./migrations
COPY pieces ./pieces
COPY sandbox ./sandbox

USER node
ENV HOST=0.0.0.0 PORT=3000
EXPOSE 3000
ENTRYPOINT ["/app/planwright"]
CMD ["api"]

/** How the service describes itself; the routes' schemas fill it (design: HTTP). */
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';

/** `gitlabUrl`: the GitLab that is served; clients cut its path off the addresses of issues. */
export function openApiOptions(gitlabUrl: string): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Planwright', version: '1', description: 'Asynchronous planning for GitLab work items.' },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'A GitLab token' },
          privateToken: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN', description: 'A GitLab token' },
          webhookSignature: {
            type: 'apiKey',
            in: 'header',
            name: 'webhook-signature',
            description: 'Standard Webhooks',
          },
          webhookToken: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Gitlab-Token',
            description: "The hook's secret token",
          },
        },
      },
      security: [{ bearer: [] }, { privateToken: [] }],
      externalDocs: { description: 'The GitLab whose items are planned', url: gitlabUrl },
    },
    transform: jsonSchemaTransform,
    // The plugin marks every body as required; those of actions may be left out.
    transformObject(document) {
      if (!('openapiObject' in document)) return document.swaggerObject;
      for (const methods of Object.values(document.openapiObject.paths ?? {})) {
        const body = methods?.post?.requestBody;
        if (body && 'required' in body) body.required = false;
      }
      return document.openapiObject;
    },
  };
}

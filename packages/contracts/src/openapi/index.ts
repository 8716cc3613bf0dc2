/** The door to the self-description. It has texts that only the document needs, so it is not behind the main door. */
export type { OpenApiDocument, OpenApiOperation } from './openapi-document.js';
export { openApiDocument } from './openapi-document.js';

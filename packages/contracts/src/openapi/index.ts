/** The entry `@centavo/contracts/openapi`. It is separate from the main entry because only the OpenAPI document needs its descriptions. */
export { type OpenApiDocument, openApiDocument } from './openapi-document.js';
export type { OpenApiOperation } from './openapi-operation.js';

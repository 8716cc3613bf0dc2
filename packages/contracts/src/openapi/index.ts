/**
 * The entry `@centavo/contracts/openapi`. Only the OpenAPI document needs the descriptions in this entry, so the main entry does not
 * load them.
 */
export { type OpenApiDocument, openApiDocument } from './openapi-document.js';
export type { OpenApiOperation } from './openapi-operation.js';

/** The entry `@centavo/contracts/openapi`. It is separate from the main entry: only the OpenAPI document needs the descriptions in it. */
export { type OpenApiDocument, openApiDocument } from './openapi-document.js';
export type { OpenApiOperation } from './openapi-operation.js';

/** The parts of the module `credentials` that the rest of the server may import. */
export { createLegacyKey } from './create-legacy-key.js';
export { type CredentialSettings, createCredentialsEndpoints } from './credentials.endpoints.js';

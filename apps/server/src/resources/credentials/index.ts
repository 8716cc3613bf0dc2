/** The exports of credentials to the rest of the server. */
export { createLegacyKey } from './create-legacy-key.js';
export { type CredentialSettings, createCredentialsEndpoints } from './credentials.endpoints.js';

/** What the house may use of credentials. */
export { createLegacyKey } from './create-legacy-key.js';
export { type CredentialSettings, createCredentialsEndpoints } from './credentials.endpoints.js';

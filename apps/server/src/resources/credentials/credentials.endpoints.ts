import { type CreatedCredential, routes } from '@centavo/contracts';
import { notFound } from '../../api-error.js';
import { type Endpoint, type EndpointRequest, endpoint, type Outcome } from '../../http/endpoint.js';
import {
  findCredential,
  insertCredential,
  listCredentials,
  loadCreateCredentialFacts,
  revokeCredential,
} from './credentials.queries.js';
import { type CredentialPlan, decideCredential, decideRotation, makeSecret } from './credentials.rules.js';
import { type CredentialRow, toCredentialView } from './credentials.view.js';

/**
 * The dependencies of the credential operations: the clock, the source of randomness and the maximum lifetime of keys, which the operator
 * sets.
 */
export interface CredentialSettings {
  readonly now: () => Date;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly keyMaxValidityDays: number;
}

type Caller = Pick<EndpointRequest, 'tx' | 'principal' | 'newId'>;
type Kinds = readonly CredentialRow['kind'][];

/** The kinds of credentials that the operations on API keys list, rotate and revoke. */
const apiKeyKinds: Kinds = ['secure', 'legacy'];
/** The kinds of credentials that the operations on integration clients list and revoke. */
const integrationClientKinds: Kinds = ['integration_client'];

/** Creates the operations on API keys and integration clients. They require a user session. */
export function createCredentialsEndpoints(settings: CredentialSettings): readonly Endpoint[] {
  const validityDaysMax = settings.keyMaxValidityDays;

  async function list({ tx, principal }: Caller, kinds: Kinds) {
    const rows = await listCredentials(tx, { userId: principal.userId, kinds });
    return { data: rows.map((row) => toCredentialView(row, settings.now())) };
  }

  /** Inserts a credential and returns it with its secret, which is shown only once. */
  async function add(
    { tx, principal, newId }: Caller,
    plan: CredentialPlan & { kind: CredentialRow['kind']; lineageId?: string; rotatedFrom?: string; action: string },
  ): Promise<Outcome<CreatedCredential>> {
    const { secret, ...stored } = makeSecret(settings.randomBytes);
    const id = newId();
    const { action, lineageId = id, rotatedFrom = null, ...credential } = plan;
    const row = await insertCredential(tx, {
      ...credential,
      ...stored,
      id,
      lineageId,
      rotatedFrom,
      userId: principal.userId,
    });
    return {
      data: { ...toCredentialView(row, settings.now()), secret },
      effect: { action, resourceType: 'credential', resourceId: id, trackerId: null },
    };
  }

  /** Revokes a credential. A repeated revocation records no audit event. */
  async function revoke({ tx, principal }: Caller, target: { id: string; kinds: Kinds; action: string }) {
    const { userId } = principal;
    const isNewlyRevoked = await revokeCredential(tx, { userId, ...target });
    if (isNewlyRevoked === undefined) throw notFound();
    const effect = { action: target.action, resourceType: 'credential', resourceId: target.id, trackerId: null };
    return isNewlyRevoked ? { data: null, effect } : { data: null };
  }

  return [
    endpoint(routes.listApiKeys, (request) => list(request, apiKeyKinds)),

    endpoint(routes.createApiKey, async (request) => {
      const facts = await loadCreateCredentialFacts(request.tx, { userId: request.principal.userId });
      const { body } = request;
      const plan = decideCredential({ kind: 'secure', body, ...facts, now: settings.now(), validityDaysMax });
      return add(request, { ...plan, kind: 'secure', action: 'api_key.created' });
    }),

    endpoint(routes.rotateApiKey, async (request) => {
      const { tx, body, principal, pathParameters } = request;
      const { userId } = principal;
      const { unrevokedCount } = await loadCreateCredentialFacts(tx, { userId });
      const current = await findCredential(tx, { userId, id: pathParameters.clientId, kinds: apiKeyKinds });
      const plan = decideRotation({ body, current, unrevokedCount, now: settings.now(), validityDaysMax });
      return add(request, { ...plan, kind: 'secure', action: 'api_key.rotated' });
    }),

    endpoint(routes.revokeApiKey, (request) =>
      revoke(request, { id: request.pathParameters.clientId, kinds: apiKeyKinds, action: 'api_key.revoked' }),
    ),

    endpoint(routes.listIntegrationClients, (request) => list(request, integrationClientKinds)),

    endpoint(routes.createIntegrationClient, async (request) => {
      const facts = await loadCreateCredentialFacts(request.tx, { userId: request.principal.userId });
      const { body } = request;
      const plan = decideCredential({
        kind: 'integration_client',
        body,
        ...facts,
        now: settings.now(),
        validityDaysMax,
      });
      return add(request, { ...plan, kind: 'integration_client', action: 'integration_client.created' });
    }),

    endpoint(routes.revokeIntegrationClient, (request) =>
      revoke(request, {
        id: request.pathParameters.clientId,
        kinds: integrationClientKinds,
        action: 'integration_client.revoked',
      }),
    ),
  ];
}

import type { createMovementBody, Issue } from '@centavo/contracts';
import { unknownCategoryId } from '@centavo/contracts';
import type * as z from 'zod';
import { ApiError, validationError } from '../../api-error.js';
import type { CashboxFacts } from '../accounts/index.js';
import type { CategoryFacts } from '../categories/index.js';
import { type CreateMovementFacts, decideMovement, type MovementPlan } from './decide-movement.js';

type Body = z.output<typeof createMovementBody>;

/** The facts that {@link decideMovements} needs. Records that the caller does not see are missing. */
export interface CreateMovementsFacts {
  readonly accounts: readonly {
    readonly id: string;
    readonly currencyCode: string;
    readonly cashboxes: readonly CashboxFacts[];
  }[];
  readonly categories: readonly CategoryFacts[];
  /** The movements, in any account, that have one of the external ids in the request and are not voided. */
  readonly movementsWithExternalId: readonly {
    readonly id: string;
    readonly accountId: string;
    readonly externalId: string;
  }[];
}

/** Returns the facts that {@link decideMovement} needs for one of the movements. Pure. */
export function factsOf(
  { accountId, categoryId = unknownCategoryId, externalId }: Body,
  { accounts, categories, movementsWithExternalId }: CreateMovementsFacts,
): CreateMovementFacts {
  const account = accounts.find(({ id }) => id === accountId) ?? null;
  const clash = movementsWithExternalId.find(
    (movement) => movement.accountId === accountId && movement.externalId === externalId,
  );
  return {
    account,
    cashboxes: account?.cashboxes ?? [],
    category: categories.find(({ id }) => id === categoryId) ?? null,
    movementWithExternalId: clash?.id ?? null,
  };
}

/**
 * Validates movements by the rules of {@link decideMovement}. If any movement is refused, the whole request is refused. Pure. The paths in
 * an error contain the index of the item, such as `movements.17.amountDecimal`.
 * @throws NOT_FOUND (404) for the first item that names a record that the caller does not see
 * @throws VALIDATION_ERROR (400) with the issues of all items, if no item causes NOT_FOUND
 * @throws STATE_CONFLICT (409) `external_id_exists` for the first item whose external id is in use, if no item has another error
 * @source docs/additions.md, section 1.2
 */
export function decideMovements(request: {
  readonly movements: readonly Body[];
  readonly facts: CreateMovementsFacts;
  readonly today: string;
}): readonly MovementPlan[] {
  const { movements, facts, today } = request;
  const plans: MovementPlan[] = [];
  const refusals: { readonly error: ApiError; readonly path: string }[] = [];
  movements.forEach((body, index) => {
    const decision = tryToDecide({ body, facts: factsOf(body, facts), today });
    if (decision instanceof ApiError) refusals.push({ error: decision, path: `movements.${index}` });
    else plans.push(decision);
  });
  const missing = refusals.find(({ error }) => error.code === 'NOT_FOUND');
  if (missing !== undefined) throw at(missing, String(missing.error.details.path));
  const issues = refusals.flatMap(({ error, path }) =>
    issuesOf(error).map((issue) => ({ ...issue, path: `${path}.${issue.path}` })),
  );
  if (issues.length > 0) throw validationError(issues);
  const [first] = refusals;
  if (first !== undefined) throw at(first, 'externalId');
  return plans;
}

/** Does the same as {@link decideMovement}, but returns a refusal instead of throwing it. Pure. */
export function tryToDecide(request: Parameters<typeof decideMovement>[0]): MovementPlan | ApiError {
  try {
    return decideMovement(request);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function issuesOf({ details }: ApiError): readonly Issue[] {
  return (details.issues as readonly Issue[] | undefined) ?? [];
}

/** Returns the error of an item, with the path of the field in the whole request, such as `movements.17.externalId`. */
function at({ error, path }: { readonly error: ApiError; readonly path: string }, field: string): ApiError {
  const { code, message, details } = error;
  return new ApiError({ code, message, details: { ...details, path: `${path}.${field}` } });
}

import type { Movement } from '@centavo/contracts';

/**
 * Returns a page of movements as JSON, equal to the result of JSON.stringify. JSON.stringify checks every name and value for characters to
 * escape. This function checks only strings that users wrote and values that may be null. All other values are ids, dates, amounts and
 * codes, which contain no such characters. With JSON.stringify instead of this function, GET /movements takes 10 % more CPU time in Node
 * and serves 6 % fewer requests per second (decision 0044).
 */
export function toMovementsJson(movements: readonly Movement[]): string {
  let text = '';
  for (const movement of movements) text += `${text === '' ? '' : ','}${movementJson(movement)}`;
  return `[${text}]`;
}

function movementJson(movement: Movement): string {
  const { id, trackerId, type, kind, amountDecimal, currencyCode, accountId, cashboxId, occurredOn, source } = movement;
  return (
    `{"id":"${id}","trackerId":"${trackerId}","type":"${type}","kind":"${kind}","amountDecimal":"${amountDecimal}",` +
    `"currencyCode":"${currencyCode}","accountId":"${accountId}","cashboxId":"${cashboxId}",` +
    `"categoryId":${textJson(movement.categoryId)},"occurredOn":"${occurredOn}",` +
    `"description":${textJson(movement.description)},"merchantName":${textJson(movement.merchantName)},` +
    `"transferGroupId":${textJson(movement.transferGroupId)},"externalId":${textJson(movement.externalId)},` +
    `"source":{"type":"${source.type}","id":"${source.id}"},` +
    `"version":${movement.version},"voidedAt":${textJson(movement.voidedAt)},` +
    `"createdAt":"${movement.createdAt}","updatedAt":"${movement.updatedAt}"}`
  );
}

/** Matches a string that JSON does not escape: printable ASCII without quotes and backslashes. */
const plain = /^[ !#-[\]-~]*$/;

function textJson(text: string | null): string {
  return text !== null && plain.test(text) ? `"${text}"` : JSON.stringify(text);
}

import { describe, expect, test } from 'vitest';
import { issuesOf } from '../../test-support/issues-of.js';
import { eventTypes } from '../events/event-types.js';
import { matchesEventType } from './event-patterns.js';
import {
  createWebhookBody,
  encodeDeliveryCursor,
  replayWebhookBody,
  rotateWebhookSecretBody,
  updateWebhookBody,
  webhookDeliveryFilters,
} from './webhook-requests.js';

const url = 'https://example.org/hook';

describe('POST /webhooks', () => {
  test.each([
    [{}],
    [{ url: `https://example.org/${'a'.repeat(1980)}` }],
    [{ url: 'http://127.0.0.1:9000/' }],
    [{ eventTypes: ['*'] }],
    [{ eventTypes: ['*', 'movement.*', 'movement.created', 'tracker.reset'] }],
    [{ eventTypes: Array.from({ length: 50 }, () => 'movement.created') }],
    [
      {
        eventTypes: null,
        description: null,
        payload: null,
        excludeOwnWrites: null,
        maxInFlight: null,
        fromSequence: null,
      },
    ],
    [{ description: 'x'.repeat(200), payload: 'record', excludeOwnWrites: true, maxInFlight: 16, fromSequence: 1 }],
  ])('accepts an endpoint with %j', (fields) => {
    expect(issuesOf(createWebhookBody, { url, ...fields })).toEqual([]);
  });

  test.each([
    [{ url: undefined }, ['url REQUIRED']],
    [{ url: '' }, ['url INVALID_FORMAT']],
    [{ url: 'ftp://example.org/' }, ['url INVALID_FORMAT']],
    [{ url: 'https:example.org' }, ['url INVALID_FORMAT']],
    [{ url: '//example.org' }, ['url INVALID_FORMAT']],
    [{ url: 'https://exa mple.org/' }, ['url INVALID_FORMAT']],
    [{ url: 'https://example.org\\@127.0.0.1/' }, ['url INVALID_FORMAT']],
    [{ url: 'https://ana@example.org/' }, ['url INVALID_FORMAT']],
    [{ url: 'https://ana:secret@example.org/' }, ['url INVALID_FORMAT']],
    [{ url: 'https://example.org/#part' }, ['url INVALID_FORMAT']],
    [{ url: 'https://example.org/\u0000' }, ['url INVALID_FORMAT']],
    [{ url: 'https://example.org/?a=\u007f' }, ['url INVALID_FORMAT']],
    [{ url: 'https://example.org/\u202e' }, ['url INVALID_FORMAT']],
    [{ url: 'https://example.org/\ud800' }, ['url INVALID_FORMAT']],
    [{ url: 'https://example.org/#' }, ['url INVALID_FORMAT']],
    [{ url: `https://example.org/${'a'.repeat(1981)}` }, ['url TOO_LONG']],
    [{ eventTypes: [] }, ['eventTypes OUT_OF_RANGE']],
    [{ eventTypes: Array.from({ length: 51 }, () => '*') }, ['eventTypes OUT_OF_RANGE']],
    [{ eventTypes: ['movement.made'] }, ['eventTypes.0 INVALID_FORMAT']],
    [{ eventTypes: ['*', 'mov.*'] }, ['eventTypes.1 INVALID_FORMAT']],
    [{ eventTypes: ['movement*'] }, ['eventTypes.0 INVALID_FORMAT']],
    [{ eventTypes: ['.*'] }, ['eventTypes.0 INVALID_FORMAT']],
    [{ eventTypes: ['webhook.test'] }, ['eventTypes.0 INVALID_FORMAT']],
    [{ description: 'x'.repeat(201) }, ['description TOO_LONG']],
    [{ payload: 'all' }, ['payload INVALID_FORMAT']],
    [{ excludeOwnWrites: 'yes' }, ['excludeOwnWrites INVALID_FORMAT']],
    [{ maxInFlight: 0 }, ['maxInFlight OUT_OF_RANGE']],
    [{ maxInFlight: 17 }, ['maxInFlight OUT_OF_RANGE']],
    [{ maxInFlight: 1.5 }, ['maxInFlight INVALID_FORMAT']],
    [{ fromSequence: 0 }, ['fromSequence OUT_OF_RANGE']],
    [{ status: 'paused' }, ['status UNKNOWN_FIELD']],
    [{ secret: 'whsec_' }, ['secret UNKNOWN_FIELD']],
  ])('refuses an endpoint with %j and reports the issues %j', (fields, issues) => {
    expect(issuesOf(createWebhookBody, { url, ...fields })).toEqual(issues);
  });

  test('removes repeated event types', () => {
    expect(createWebhookBody.parse({ url, eventTypes: ['*', '*', 'movement.*'] }).eventTypes).toEqual([
      '*',
      'movement.*',
    ]);
  });
});

describe('PATCH /webhooks/{webhookId}', () => {
  test.each([
    [{ description: null }, []],
    [{ status: 'paused' }, []],
    [{ status: 'active', resumeFrom: 'now' }, []],
    [{}, [' EMPTY_PATCH']],
    [{ resumeFrom: 'now' }, ['resumeFrom FIELD_CONFLICT']],
    [{ status: 'paused', resumeFrom: 'cursor' }, ['resumeFrom FIELD_CONFLICT']],
    [{ status: 'disabled' }, ['status INVALID_FORMAT']],
    [{ description: null, fromSequence: 1 }, ['fromSequence UNKNOWN_FIELD']],
    [{ url: null }, ['url INVALID_FORMAT']],
  ])('validates a body with %j, and reports exactly the issues %j', (body, issues) => {
    expect(issuesOf(updateWebhookBody, body)).toEqual(issues);
  });
});

test.each([
  [{}, []],
  [{ overlapHours: 0 }, []],
  [{ overlapHours: 168 }, []],
  [{ overlapHours: -1 }, ['overlapHours OUT_OF_RANGE']],
  [{ overlapHours: 169 }, ['overlapHours OUT_OF_RANGE']],
])(
  'POST /webhooks/{webhookId}/rotate-secret validates the body %j, and reports exactly the issues %j',
  (body, issues) => {
    expect(issuesOf(rotateWebhookSecretBody, body)).toEqual(issues);
  },
);

test.each([
  [{ fromSequence: 5, toSequence: 5 }, []],
  [{ fromSequence: 5, onlyFailed: true }, []],
  [{ fromSequence: 5, toSequence: 4 }, ['toSequence OUT_OF_RANGE']],
  [{}, ['fromSequence REQUIRED']],
  [{ fromSequence: 0 }, ['fromSequence OUT_OF_RANGE']],
])('POST /webhooks/{webhookId}/replay validates the body %j, and reports exactly the issues %j', (body, issues) => {
  expect(issuesOf(replayWebhookBody, body)).toEqual(issues);
});

test.each([
  [{}, []],
  [{ status: 'failed', limit: '200', cursor: encodeDeliveryCursor(12_345) }, []],
  [{ status: 'lost' }, ['status INVALID_FORMAT']],
  [{ limit: '0' }, ['limit OUT_OF_RANGE']],
  [{ limit: '201' }, ['limit OUT_OF_RANGE']],
  [{ cursor: '' }, ['cursor INVALID_FORMAT']],
  [{ cursor: '0' }, ['cursor INVALID_FORMAT']],
  [{ cursor: 'ZZ' }, ['cursor INVALID_FORMAT']],
  [{ cursor: 'garbage' }, ['cursor INVALID_FORMAT']],
  [{ cursor: 'aaaaaaaaaaaa' }, ['cursor INVALID_FORMAT']],
  [{ cursor: 'AQAAAAAAAAAA' }, ['cursor INVALID_FORMAT']],
  [{ offset: '1' }, ['offset UNKNOWN_FIELD']],
])(
  'GET /webhooks/{webhookId}/deliveries validates the query %j, and reports exactly the issues %j',
  (query, issues) => {
    expect(issuesOf(webhookDeliveryFilters, query)).toEqual(issues);
  },
);

test('the pattern budget.* matches only the event type budget.created; movement.created matches only itself; * matches every event type', () => {
  const matched = (pattern: string) => eventTypes.filter((type) => matchesEventType(pattern, type));
  expect(matched('budget.*')).toEqual(['budget.created']);
  expect(matched('movement.created')).toEqual(['movement.created']);
  expect(matched('*')).toEqual([...eventTypes]);
});

test.each([1, 12_345, Number.MAX_SAFE_INTEGER])(
  'the cursor of the delivery at position %i contains this position',
  (position) => {
    expect(webhookDeliveryFilters.parse({ cursor: encodeDeliveryCursor(position) }).cursor).toBe(position);
  },
);

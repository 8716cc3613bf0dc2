import { SpanStatusCode } from '@opentelemetry/api';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type NotesDatabase, openNotesDatabase } from '../../test-support/open-notes-database.js';
import { type RecordedSpans, recordSpans } from '../../test-support/record-spans.js';
import { noSuchPath } from '../api-error.js';
import { createDatabase } from './pool.js';
import { query } from './query.js';

let notes: NotesDatabase;
let spans: RecordedSpans;

beforeAll(async () => {
  notes = await openNotesDatabase();
  spans = recordSpans();
});

beforeEach(() => spans.clear());

afterAll(async () => {
  spans?.stop();
  await notes?.close();
});

it('the database records one span for each transaction, including transactions with a time limit', async () => {
  await notes.write((tx) => query(tx, 'insert into notes (id) values (1)'));
  await notes.database.within(60_000).transaction({ readOnly: true }, (tx) => query(tx, 'select id from notes'));
  expect(spans.all().map(({ status }) => status)).toEqual([
    { code: SpanStatusCode.UNSET },
    { code: SpanStatusCode.UNSET },
  ]);
});

it('the database marks the span of a failed transaction as an error with the SQLSTATE, but without the SQL and the message', async () => {
  const work = notes.write((tx) => query(tx, "select 'a private matter'::int"));
  await expect(work).rejects.toMatchObject({ code: '22P02' });
  const [span] = spans.all();
  expect(span?.status).toEqual({ code: SpanStatusCode.ERROR });
  expect(span?.attributes['error.type']).toBe('22P02');
  expect(JSON.stringify([span?.attributes, span?.events, span?.status])).not.toMatch(/private|select/);
});

it('the database marks the span of a transaction as an error when no connection can be made', async () => {
  const unreachable = createDatabase({ connectionString: 'postgres://nobody:secret@127.0.0.1:1/books', poolMax: 1 });
  await expect(unreachable.transaction({ readOnly: true }, async () => 1)).rejects.toMatchObject({
    name: 'DatabaseUnavailable',
  });
  await unreachable.close();
  const span = spans.get('transaction books');
  expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
  expect(span.attributes).toMatchObject({ 'error.type': 'DatabaseUnavailable', 'server.port': 1 });
  expect(JSON.stringify(span.attributes)).not.toMatch(/nobody|secret/);
});

it('the database does not mark the span of a transaction as an error when the API refuses the request', async () => {
  const work = notes.write(async () => {
    throw noSuchPath();
  });
  await expect(work).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(spans.all().map(({ status }) => status)).toEqual([{ code: SpanStatusCode.UNSET }]);
});

import { describe, expect, test } from 'vitest';
import { issuesOf } from '../../test-support/issues-of.js';
import {
  addMemberBody,
  changeMemberRoleBody,
  chooseTrackerBody,
  createTrackerBody,
  updateTrackerBody,
} from './context-requests.js';

const tracker = { name: 'Home', currencyCode: 'EUR', timeZone: 'Europe/Madrid' };

describe('PUT /context/active-tracker and /context/default-tracker', () => {
  test.each([
    [{ trackerId: '0190f2a0-0000-7000-8000-00000000000a' }, []],
    [{}, ['trackerId REQUIRED']],
    [{ trackerId: null }, ['trackerId INVALID_FORMAT']],
    [{ trackerId: 'home' }, ['trackerId INVALID_FORMAT']],
    [{ id: 'x' }, ['id UNKNOWN_FIELD', 'trackerId REQUIRED']],
    // @proves contract 4: PUT /context/default-tracker
  ])('validates a body with %j, and reports exactly the issues %j', (body, issues) => {
    expect(issuesOf(chooseTrackerBody, body)).toEqual(issues);
  });
});

describe('POST /trackers', () => {
  test.each([
    [{}, []],
    [{ timeZone: 'UTC' }, []],
    [{ timeZone: 'America/Argentina/Buenos_Aires' }, []],
    [{ name: '' }, ['name REQUIRED']],
    [{ currencyCode: undefined }, ['currencyCode REQUIRED']],
    [{ currencyCode: 'eur' }, ['currencyCode INVALID_FORMAT']],
    [{ timeZone: undefined }, ['timeZone REQUIRED']],
    [{ timeZone: 'Europe/Atlantis' }, ['timeZone INVALID_FORMAT']],
    [{ timeZone: '' }, ['timeZone INVALID_FORMAT']],
    [{ timeZone: '+02:00' }, ['timeZone INVALID_FORMAT']],
    [{ timeZone: 'PST' }, ['timeZone INVALID_FORMAT']],
    [{ timeZone: 'SystemV/PST8' }, ['timeZone INVALID_FORMAT']],
    [{ role: 'owner' }, ['role UNKNOWN_FIELD']],
  ])('validates the required fields together with %j, and reports exactly the issues %j', (fields, issues) => {
    expect(issuesOf(createTrackerBody, { ...tracker, ...fields })).toEqual(issues);
  });
});

test.each([
  ['europe/madrid', 'Europe/Madrid'],
  ['ASIA/CALCUTTA', 'Asia/Calcutta'],
  ['etc/gmt+5', 'Etc/GMT+5'],
])('POST and PATCH of a tracker convert the time zone %s to the spelling %s', (timeZone, spelled) => {
  expect(createTrackerBody.parse({ ...tracker, timeZone }).timeZone).toBe(spelled);
  expect(updateTrackerBody.parse({ timeZone }).timeZone).toBe(spelled);
});

describe('PATCH /trackers/{trackerId}', () => {
  test.each([
    [{ name: 'Work' }, []],
    [{ timeZone: 'Asia/Tokyo' }, []],
    [{}, [' EMPTY_PATCH']],
    [{ name: null }, ['name INVALID_FORMAT']],
    [{ currencyCode: 'USD' }, [' EMPTY_PATCH', 'currencyCode UNKNOWN_FIELD']],
  ])('validates a body with %j, and reports exactly the issues %j', (body, issues) => {
    expect(issuesOf(updateTrackerBody, body)).toEqual(issues);
  });
});

describe('/trackers/{trackerId}/members', () => {
  test.each([
    [{ email: ' ana@example.org ', role: 'viewer' }, []],
    [{ email: 'ana@example.org' }, ['role REQUIRED']],
    [{ email: 'ana', role: 'editor' }, ['email INVALID_FORMAT']],
    [{ email: 'a@b@c', role: 'editor' }, ['email INVALID_FORMAT']],
    [{ email: 'a b@c', role: 'editor' }, ['email INVALID_FORMAT']],
    [{ email: `${'a'.repeat(250)}@b.cd`, role: 'editor' }, ['email INVALID_FORMAT']],
    [{ email: 'ana@example.org', role: 'root' }, ['role INVALID_FORMAT']],
  ])('POST validates the body %j, and reports exactly the issues %j', (body, issues) => {
    expect(issuesOf(addMemberBody, body)).toEqual(issues);
  });

  test.each([
    [{ role: 'owner' }, []],
    [{}, ['role REQUIRED']],
    [{ role: 'owner', email: 'x@y' }, ['email UNKNOWN_FIELD']],
  ])('PATCH validates the body %j, and reports exactly the issues %j', (body, issues) => {
    expect(issuesOf(changeMemberRoleBody, body)).toEqual(issues);
  });
});

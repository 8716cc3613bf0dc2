import { describe, expect, it } from 'vitest';
import { isPublished, planProvenance, reasonNotToPublish } from '../../../tools/plan-release.mjs';

describe('reasonNotToPublish', () => {
  it('permits a release that has changesets', () => {
    expect(reasonNotToPublish({ hasChangesets: true, version: '0.1.0', lastSubject: 'Add a route' })).toBeNull();
  });

  it('permits a release without changesets if the last commit is the release commit of the version', () => {
    expect(reasonNotToPublish({ hasChangesets: false, version: '0.2.0', lastSubject: 'Release 0.2.0' })).toBeNull();
  });

  it.each(['Fix a typo', 'Release 0.1.0'])('refuses a release without changesets after "%s"', (lastSubject) => {
    expect(reasonNotToPublish({ hasChangesets: false, version: '0.2.0', lastSubject })).toContain('nothing to publish');
  });
});

describe('isPublished', () => {
  it('returns true for a version that the registry has', () => {
    expect(isPublished({ status: 0, stdout: '"0.2.0"\n' })).toBe(true);
  });

  it.each([
    { status: 0, stdout: '' },
    { status: 1, stdout: '{ "error": { "code": "E404", "summary": "Not found" } }' },
  ])('returns false for a version or package that the registry does not have: $stdout', (view) => {
    expect(isPublished(view)).toBe(false);
  });

  it.each([
    { status: 1, stdout: '{ "error": { "code": "ECONNREFUSED", "summary": "connect ECONNREFUSED" } }' },
    { status: null, stdout: '' },
  ])('throws if the registry did not answer: $stdout', (view) => {
    expect(() => isPublished(view)).toThrow('Cannot read the published versions');
  });
});

describe('planProvenance', () => {
  const repository = { type: 'git', url: 'https://git.example.org/centavo.git' };
  const manifests = [{ name: '@centavo/sdk', repository }];
  const environment = { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://token.example.org' };

  it('permits provenance if each package names a repository and there is an identity token', () => {
    expect(planProvenance({ manifests, environment })).toMatchObject({ isPossible: true });
  });

  it('does not permit provenance if a package names no repository', () => {
    const plan = planProvenance({ manifests: [...manifests, { name: '@centavo/cli' }], environment });
    expect(plan).toMatchObject({ isPossible: false });
    expect(plan.note).toContain('repository in the package.json of @centavo/cli');
    expect(plan.note).not.toContain('id-token');
  });

  it('does not permit provenance without an identity token', () => {
    const plan = planProvenance({ manifests, environment: {} });
    expect(plan).toMatchObject({ isPossible: false });
    expect(plan.note).toContain('id-token: write');
    expect(plan.note).not.toContain('repository');
  });
});

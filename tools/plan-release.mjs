// Decides whether a release can publish the packages, and whether it can publish them with provenance. `release.mjs` runs the commands.

/**
 * Returns an error message if there is nothing to publish, otherwise null. A new release needs changesets. Without changesets, the last
 * commit must be the commit of a release. The run then continues that release, and publishes the packages that are still missing.
 * @param state.version the version in the package.json files
 * @param state.lastSubject the subject of the last commit
 */
export function reasonNotToPublish({ hasChangesets, version, lastSubject }) {
  if (hasChangesets || lastSubject === subjectOf(version)) return null;
  return (
    `There is nothing to publish: .changeset contains no changeset, and the last commit is not "${subjectOf(version)}". ` +
    'Add a changeset, or check out the commit of the release that you want to continue.'
  );
}

/** Returns the subject of the commit of a release. */
export function subjectOf(version) {
  return `Release ${version}`;
}

/**
 * Returns whether the registry has a version, from the result of `npm view <name>@<version> version --json`.
 * @throws Error if npm failed for another reason than a missing version. Such a failure does not show that the version is missing
 */
export function isPublished({ status, stdout }) {
  const answer = stdout.trim();
  if (status === 0) return answer !== '';
  const { error } = answer === '' ? {} : JSON.parse(answer);
  if (error?.code === 'E404') return false;
  throw new Error(`Cannot read the published versions: ${error?.summary ?? 'npm view failed'}. Release again later.`);
}

/**
 * Returns whether npm can publish the packages with provenance, and a note that names each missing requirement.
 * @param manifests the package.json files of the packages
 * @param environment the environment variables
 */
export function planProvenance({ manifests, environment }) {
  const withoutRepository = manifests.filter(({ repository }) => repository === undefined).map(({ name }) => name);
  const hasToken = 'ACTIONS_ID_TOKEN_REQUEST_URL' in environment || 'SIGSTORE_ID_TOKEN' in environment;
  const missing = [
    ...(withoutRepository.length === 0 ? [] : [`repository in the package.json of ${withoutRepository.join(', ')}`]),
    ...(hasToken ? [] : ['a workflow of GitHub Actions with "id-token: write", or GitLab CI with SIGSTORE_ID_TOKEN']),
  ];
  if (missing.length === 0) return { isPossible: true, note: 'The packages are published with provenance.' };
  return { isPossible: false, note: `The packages are published without provenance. Missing: ${missing.join('; ')}.` };
}

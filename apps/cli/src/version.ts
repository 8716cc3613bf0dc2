/** The version of this package; a test holds it equal to package.json. */
export const cliVersion = '0.1.0';

/** The version of this package; a test compares it with package.json. */
export const cliVersion = '0.1.0';

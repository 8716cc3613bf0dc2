import tseslint from 'typescript-eslint';

// Biome formats and lints. ESLint runs only the rules that need types: a write whose promise is not awaited can fail unnoticed.
export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**'] },
  {
    files: ['packages/**/*.ts', 'apps/**/*.ts', 'tests/**/*.ts'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CallExpression[callee.property.name="commit"]',
          message:
            'Return from the transaction function instead: the database module commits, and handles lost acknowledgements.',
        },
      ],
    },
  },
  { files: ['apps/server/src/database/pool.ts'], rules: { 'no-restricted-syntax': 'off' } },
);

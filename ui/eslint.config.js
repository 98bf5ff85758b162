import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { uncast } from './lint/answers.js';

// Folders of ui/src from the bottom up; none imports from one further up. Features are part of the dashboard by their manifests
// alone: only the shell, the router and the start know the list of them. Tests may read whatever they test.
const features = './src/features';
const list = './src/features/index.ts';
const top = ['./src/shell', './src/router.tsx', './src/main.tsx'];
const below = ['lib', 'api', 'access', 'i18n', 'components', 'feature'];
const zones = [
  ...below.map((folder) => ({
    target: `./src/${folder}/**/!(*.test).{ts,tsx}`,
    from: [features, ...top],
    message: `${folder}/ is shared: it knows no feature, and not what is built from the list of them.`,
  })),
  { target: './src/features/*/**', from: [list, ...top], message: 'A feature does not know the list of features, nor what is built from it.' },
  { target: [...top, './src/features/index.ts'], from: './src/features/*/**/!(feature).{ts,tsx}', message: 'A feature is known by its manifest, feature.ts.' },
];

// Types and everything else are checked by Oxlint (.oxlintrc.json), in a fifth of the time; here stands what it has no rule for.
export default defineConfig(
  { ignores: ['node_modules'] },
  tseslint.configs.base,
  { languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } } },
  {
    plugins: { 'import-x': importX },
    settings: {
      'import-x/extensions': ['.ts', '.tsx'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.tsx', '.json'] })],
    },
    rules: {
      'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones }],
      // What went wrong is known by the code of the fault; its message is for people, and changes with their language.
      'no-restricted-syntax': [
        'error',
        { selector: 'BinaryExpression[operator=/^[!=]=/][left.property.name="message"]', message: 'Decide by the code of the fault.' },
        { selector: 'CallExpression[callee.object.property.name="message"]', message: 'Decide by the code of the fault.' },
      ],
    },
  },
  {
    files: ['src/{api,access,lib,shell}/**', 'src/features/*/**'],
    ignores: ['**/*.test.*'],
    plugins: { quipu: { rules: { uncast } } },
    rules: {
      'quipu/uncast': 'error',
      'no-restricted-globals': ['error', { name: 'fetch', message: 'Calls are made by api/client.ts, which checks the answers.' }],
    },
  },
  { files: ['lint/**'], extends: [tseslint.configs.disableTypeChecked] },
  {
    // What makes calls: of the API, of files, of streams, and to see whether the server is there.
    files: ['src/api/{client,raw}.ts', 'src/lib/{file,stream,reach}.ts'],
    rules: { 'no-restricted-globals': 'off' },
  },
);

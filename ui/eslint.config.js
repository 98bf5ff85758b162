import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { uncast } from './lint/answers.js';
import { zonesOfFolders } from './lint/folders.js';

// Folders of ui/src that features share import none of them. Features are part of the dashboard by their manifests
// alone: only the shell, the router and the start know the list of them. What a folder of parts/ or features/ may import of its
// neighbours is in lint/folders.js. Tests may read whatever they test.
const features = './src/features';
const list = './src/features/index.ts';
const top = ['./src/shell', './src/router.tsx', './src/main.tsx'];
const parts = './src/parts';
const below = ['lib', 'api', 'access', 'i18n', 'components', 'feature'];
const zones = [
  ...below.map((folder) => ({
    target: `./src/${folder}/**/!(*.test).{ts,tsx}`,
    from: [parts, features, ...top],
    message: `${folder}/ is shared: it knows no part of pages and no feature, and not what is built from the list of them.`,
  })),
  { target: `${parts}/**/!(*.test).{ts,tsx}`, from: [features, ...top], message: 'parts/ is what features share: it knows none of them.' },
  ...zonesOfFolders(import.meta.dirname),
  { target: './src/features/*/**', from: [list, ...top], message: 'A feature does not know the list of features, nor what is built from it.' },
  { target: [...top, './src/features/index.ts'], from: './src/features/*/**/!(feature).{ts,tsx}', message: 'A feature is known by its manifest, feature.ts.' },
];

// What makes calls: of the API, of files, of streams, and to see whether the server is there.
const callers = ['src/api/{client,raw,watched}.ts', 'src/lib/{file,stream,reach}.ts'];
const called = 'Calls are made by api/client.ts, which checks the answers.';

// What went wrong is known by the code of the fault; its message is for people, and changes with their language. One function reads it,
// of api/answer.ts, and nothing compares or searches what that returns, or the text of a task that failed.
const words = 'Decide by the code of the fault; messageOf of api/answer.ts has its words for people.';
const said = ':matches(CallExpression[callee.name="messageOf"], MemberExpression[property.name="errormsg"])';

// Types and everything else are checked by Oxlint (.oxlintrc.json), in a fifth of the time; here stands what it has no rule for.
export default defineConfig(
  { ignores: ['node_modules', '**/*.test.*', 'src/testing.ts'] },
  {
    files: ['src/**/*.{ts,tsx}'],
    extends: [tseslint.configs.base],
    languageOptions: { globals: { window: 'readonly', self: 'readonly' }, parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { 'import-x': importX, quipu: { rules: { uncast } } },
    settings: {
      'import-x/extensions': ['.ts', '.tsx'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.tsx', '.json'] })],
    },
    rules: {
      'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones }],
      'quipu/uncast': 'error',
      'no-restricted-globals': [
        'error',
        {
          globals: ['fetch', 'XMLHttpRequest', 'EventSource', 'WebSocket'].map((name) => ({ name, message: called })),
          checkGlobalObject: true,
          globalObjects: ['window', 'self'],
        },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'MemberExpression:matches([property.name="message"], [property.value="message"])', message: words },
        { selector: 'ObjectPattern > Property[key.name="message"]', message: words },
        { selector: `BinaryExpression[operator=/^[!=]=/]:not([right.type="Identifier"][right.name="undefined"]) > ${said}`, message: words },
        { selector: `SwitchStatement > ${said}`, message: words },
        { selector: `MemberExpression > ${said}.object`, message: words },
        { selector: `CallExpression[callee.property.name=/^(test|exec|match|matchAll|includes|indexOf|startsWith|endsWith|get|has)$/] > ${said}`, message: words },
      ],
    },
  },
  { files: callers, rules: { 'no-restricted-globals': 'off' } },
  { files: ['src/api/answer.ts'], rules: { 'no-restricted-syntax': 'off' } },
);

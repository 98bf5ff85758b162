import type { Operation } from './model';
import { planOf, type Plan, type Values } from './request';

/** The languages that samples are in. */
export const languages = ['curl', 'JavaScript', 'Python', 'Go'] as const;
export type Language = (typeof languages)[number];

/** The variable that samples take the key from: keys do not stand in code. */
const variable = 'QUIPU_KEY';

/** A request of an operation as code. Server is the address without a slash at its end. */
export function sampleOf(language: Language, operation: Operation, values: Values, server: string): string {
  const plan = planOf(operation, values);
  const needsKey = !operation.isPublic;
  switch (language) {
    case 'curl':
      return curl(plan, server, needsKey);
    case 'JavaScript':
      return javaScript(plan, server, needsKey);
    case 'Python':
      return python(plan, server, needsKey);
    case 'Go':
      return go(plan, server, needsKey);
  }
}

/** A text in single quotes for a shell. */
const shell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
/** A text in double quotes, as JSON, JavaScript, Python and Go read it alike. */
const quoted = (text: string) => JSON.stringify(text);

function curl({ verb, address, headers, form, files }: Plan, server: string, needsKey: boolean): string {
  const lines = [`curl ${shell(server + address)}`];
  if (needsKey) lines.push(`--header "Authorization: Bearer $${variable}"`);
  for (const [name, value] of headers) lines.push(`--header ${shell(`${name}: ${value}`)}`);
  for (const [name, value] of form) lines.push(files.length > 0 ? `--form-string ${shell(`${name}=${value}`)}` : `--data-urlencode ${shell(`${name}=${value}`)}`);
  for (const name of files) lines.push(`--form ${shell(`${name}=@file`)}`);
  if (verb === 'POST' && form.length === 0 && files.length === 0) lines.push('--request POST');
  return lines.join(' \\\n  ');
}

function javaScript({ verb, address, headers, form, files }: Plan, server: string, needsKey: boolean): string {
  const heads = [...(needsKey ? [`Authorization: \`Bearer \${process.env.${variable}}\``] : []), ...headers.map(([name, value]) => `${quoted(name)}: ${quoted(value)}`)];
  const lines: string[] = [];
  if (files.length > 0) {
    lines.push('const form = new FormData();', ...form.map(([name, value]) => `form.set(${quoted(name)}, ${quoted(value)});`));
    lines.push(...files.map((name) => `form.set(${quoted(name)}, file); // a File or Blob`));
  }
  lines.push(`const response = await fetch(${quoted(server + address)}, {`);
  if (verb === 'POST') lines.push("  method: 'POST',");
  if (heads.length > 0) lines.push(`  headers: { ${heads.join(', ')} },`);
  if (files.length > 0) lines.push('  body: form,');
  else if (form.length > 0) lines.push('  body: new URLSearchParams({', ...form.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`), '  }),');
  lines.push('});', "const fault = response.headers.get('Quipu-Error'); // null when it succeeded", 'console.log(response.status, fault, await response.text());');
  return lines.join('\n');
}

function python({ verb, address, headers, form, files }: Plan, server: string, needsKey: boolean): string {
  const heads = [...(needsKey ? [`"Authorization": "Bearer " + os.environ["${variable}"]`] : []), ...headers.map(([name, value]) => `${quoted(name)}: ${quoted(value)}`)];
  const lines = needsKey ? ['import os', ''] : [];
  lines.push('import requests', '', `response = requests.${verb.toLowerCase()}(`, `    ${quoted(server + address)},`);
  if (heads.length > 0) lines.push(`    headers={${heads.join(', ')}},`);
  if (form.length > 0) lines.push('    data={', ...form.map(([name, value]) => `        ${quoted(name)}: ${quoted(value)},`), '    },');
  if (files.length > 0) lines.push(`    files={${files.map((name) => `${quoted(name)}: open("file", "rb")`).join(', ')}},`);
  lines.push('    timeout=60,', ')', 'print(response.status_code, response.headers.get("Quipu-Error"), response.text)');
  return lines.join('\n');
}

function go({ verb, address, headers, form, files }: Plan, server: string, needsKey: boolean): string {
  const hasForm = verb === 'POST';
  const body = files.length > 0 ? '&body' : hasForm ? 'strings.NewReader(form.Encode())' : 'nil';
  const imports = ['fmt', 'io', 'log', 'net/http', ...(needsKey || files.length > 0 ? ['os'] : []), ...(files.length > 0 ? ['bytes', 'mime/multipart'] : hasForm ? ['net/url', 'strings'] : [])].sort();
  const lines = ['package main', '', 'import (', ...imports.map((name) => `\t${quoted(name)}`), ')', '', 'func main() {'];
  if (files.length > 0) {
    lines.push('\tvar body bytes.Buffer', '\tform := multipart.NewWriter(&body)', ...form.map(([name, value]) => `\t_ = form.WriteField(${quoted(name)}, ${quoted(value)})`));
    for (const name of files) {
      lines.push('\tcontent, err := os.ReadFile("file")', '\tif err != nil {', '\t\tlog.Fatal(err)', '\t}');
      lines.push(`\tpart, err := form.CreateFormFile(${quoted(name)}, "file")`, '\tif err != nil {', '\t\tlog.Fatal(err)', '\t}', '\t_, _ = part.Write(content)');
    }
    lines.push('\t_ = form.Close()');
  } else if (hasForm) {
    if (form.length === 0) lines.push('\tform := url.Values{}');
    else lines.push('\tform := url.Values{', ...form.map(([name, value]) => `\t\t${quoted(name)}: {${quoted(value)}},`), '\t}');
  }
  lines.push(`\treq, err := http.NewRequest(${quoted(verb)}, ${quoted(server + address)}, ${body})`, '\tif err != nil {', '\t\tlog.Fatal(err)', '\t}');
  if (needsKey) lines.push(`\treq.Header.Set("Authorization", "Bearer "+os.Getenv("${variable}"))`);
  for (const [name, value] of headers) lines.push(`\treq.Header.Set(${quoted(name)}, ${quoted(value)})`);
  if (files.length > 0) lines.push('\treq.Header.Set("Content-Type", form.FormDataContentType())');
  else if (hasForm) lines.push('\treq.Header.Set("Content-Type", "application/x-www-form-urlencoded")');
  lines.push('\tresp, err := http.DefaultClient.Do(req)', '\tif err != nil {', '\t\tlog.Fatal(err)', '\t}', '\tdefer resp.Body.Close()');
  lines.push('\ttext, err := io.ReadAll(resp.Body)', '\tif err != nil {', '\t\tlog.Fatal(err)', '\t}', '\tfmt.Println(resp.StatusCode, resp.Header.Get("Quipu-Error"), string(text))', '}');
  return lines.join('\n');
}

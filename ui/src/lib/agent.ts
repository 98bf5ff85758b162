const browsers: readonly [RegExp, string][] = [
  [/Edg(?:A|iOS)?\/(\d+)/, 'Edge'],
  [/OPR\/(\d+)/, 'Opera'],
  [/(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/Version\/(\d+).*Safari\//, 'Safari'],
];

const systems: readonly [RegExp, string][] = [
  [/Windows NT/, 'Windows'],
  [/iPhone|iPad|iPod/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** What a browser says of itself, in short: "Firefox 129, Windows". Undefined for what is no browser that we know. */
export function agentOf(agent: string): string | undefined {
  for (const [form, name] of browsers) {
    const version = form.exec(agent)?.[1];
    if (version === undefined) continue;
    const system = systems.find(([one]) => one.test(agent))?.[1];
    return [`${name} ${version}`, ...(system === undefined ? [] : [system])].join(', ');
  }
  return undefined;
}

import { Code } from '@mantine/core';
import { Fragment } from 'react';

/** Words of the description: what stands between backquotes is code. */
export function Prose({ text }: { text: string }) {
  return text.split('`').map((part, i) => (i % 2 === 0 ? <Fragment key={i}>{part}</Fragment> : <Code key={i} className="breakable">{part}</Code>));
}

/** A text of several paragraphs. */
export function Paragraphs({ text }: { text: string }) {
  return text.split('\n\n').map((part) => (
    <p key={part} className="reference-text">
      <Prose text={part} />
    </p>
  ));
}

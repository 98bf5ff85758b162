import { startCompletion, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { StreamLanguage } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { figures, names, placeIn, type FigureName, type FunctionName } from './place';

/** A name with what it is called. */
export interface Named {
  value: string;
  label: string;
}

/** What a formula may name. */
export interface Known {
  /** What a function is, in a few words. */
  about: (name: FigureName | FunctionName) => string;
  events: readonly Named[];
  /** The properties of an event, by their paths; those that have numbers come first. */
  properties: (event: string) => readonly Named[];
}

const words = new Set<string>(names);

/** Formulas: how they are coloured, and what they are completed with. */
export function formulaLanguage(known: Known): Extension {
  return StreamLanguage.define<unknown>({
    token: (stream) => {
      if (stream.eatSpace()) return null;
      if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
      if (stream.match(/^(?:\d+\.?\d*|\.\d+)%?/)) return 'number';
      const name = stream.match(/^[a-z_]\w*/i);
      if (Array.isArray(name)) return words.has(name[0]) ? 'keyword' : null;
      stream.next();
      return null;
    },
    languageData: { autocomplete: (context: CompletionContext) => completionsAt(context, known), closeBrackets: { brackets: ['(', '{', '"'] } },
  });
}

function completionsAt(context: CompletionContext, known: Known): CompletionResult | null {
  const text = context.state.doc.toString();
  const place = placeIn(text, context.pos);
  switch (place.kind) {
    case 'nothing':
      return null;
    case 'name':
      if (place.from === context.pos && !context.explicit) return null;
      return { from: place.from, options: names.map((name) => called(name, known)), validFor: /^\w*$/ };
    case 'event':
      return { from: place.from, options: known.events.map((e) => quotedAs(e, place.quoted)), ...lasting(place.quoted) };
    case 'property':
      return { from: place.from, options: known.properties(place.of).map((p) => quotedAs(p, place.quoted)), ...lasting(place.quoted) };
    case 'path': {
      const event = [...text.slice(0, context.pos).matchAll(/\(\s*("(?:[^"\\]|\\.)+")/g)].at(-1)?.[1];
      const listed = event === undefined ? [] : known.properties(textOf(event)).filter((p) => p.value !== 's' && p.value !== 'dur');
      return { from: place.from, options: listed.map((p) => quotedAs(p, true)), ...lasting(true) };
    }
  }
}

const textOf = (json: string): string => {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : '';
};

/** While only this is written on, the list stays as it is. */
const lasting = (quoted: boolean) => ({ validFor: quoted ? /^[^"\\]*$/ : /^[\w.]*$/ });

/** A function with its parentheses; of a figure, an event is offered next. */
function called(name: FigureName | FunctionName, known: Known): Completion {
  const figure = name in figures;
  return {
    label: name,
    detail: known.about(name),
    type: 'function',
    boost: name === 'abs' || name === 'round' ? -1 : 0,
    apply: (view, _, from, to) => {
      const open = view.state.sliceDoc(to, to + 1) === '(';
      put(view, from, to, open ? name : figure ? `${name}("")` : `${name}()`, open ? 0 : figure ? 2 : 1);
      if (!open && figure) startCompletion(view);
    },
  };
}

/** A text in quotes, which are put there where they are not. */
function quotedAs({ value, label }: Named, quoted: boolean): Completion {
  const json = JSON.stringify(value);
  return {
    // It is found by either, and by its key alone where it has no other name.
    label: label === value || label === '' ? value : `${label} · ${value}`,
    type: 'text',
    apply: (view, _, from, to) => {
      if (!quoted) put(view, from, to, json, 0);
      else if (view.state.sliceDoc(to, to + 1) === '"') put(view, from, to + 1, json.slice(1), 0);
      else put(view, from, to, json.slice(1), 0);
    },
  };
}

function put(view: EditorView, from: number, to: number, insert: string, back: number): void {
  view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length - back }, userEvent: 'input.complete', scrollIntoView: true });
}

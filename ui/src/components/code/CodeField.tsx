import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, Prec, type Extension } from '@codemirror/state';
import { Decoration, drawSelection, EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useImperativeHandle, useRef, type Ref } from 'react';
import './code.css';

/** What others do with the field. */
export interface CodeHandle {
  /** Puts a text where the cursor is, in place of what is selected; the cursor goes behind it, or some characters back. */
  insert: (text: string, back?: number) => void;
  /** Shows a place, from 0, and puts the cursor there. */
  show: (at: number) => void;
}

interface Props {
  label: string;
  hint: string;
  value: string;
  /** What is written: how it is coloured and completed. It may change. */
  language: Extension;
  onChange: (value: string) => void;
  /** What Ctrl+Enter (⌘+Enter) does. */
  onRun?: () => void;
  handle: Ref<CodeHandle>;
  /** Whether lines have numbers. */
  numbered?: boolean;
  /** The place that is wrong, from 0, which is underlined; and the id of what says why. */
  wrong?: number | undefined;
  wrongBy?: string;
}

// Colours are those of the theme, so that both schemes have theirs.
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], class: 'code-keyword' },
  { tag: [tags.string, tags.special(tags.string)], class: 'code-string' },
  { tag: [tags.number, tags.bool, tags.null], class: 'code-number' },
  { tag: [tags.lineComment, tags.blockComment], class: 'code-comment' },
]);

const underline = Decoration.mark({ class: 'code-wrong' });
const gap = Decoration.line({ class: 'code-wrong-end' });

/** Underlines the word at a place; at the end, where something is missing, the line is marked behind its text. */
function marked(doc: string, at: number): Extension {
  const from = Math.min(at, doc.length);
  const word = /^(?:[\p{L}\p{N}_.]+|"(?:[^"\\]|\\.)*"?|\S)/u.exec(doc.slice(from))?.[0] ?? '';
  const line = doc.lastIndexOf('\n', from - 1) + 1;
  return EditorView.decorations.of(word === '' ? Decoration.set(gap.range(line)) : Decoration.set(underline.range(from, from + word.length)));
}

/** A field for a text in a language, with its colours and completion. Tab leaves it, as any other field. */
export function CodeField({ label, hint, value, language, onChange, onRun, handle, numbered = false, wrong, wrongBy }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(undefined);
  const parts = useRef({ language: new Compartment(), wrong: new Compartment() });
  const first = useRef({ label, hint, value, numbered });
  const now = useRef({ onChange, onRun });
  useEffect(() => {
    now.current = { onChange, onRun };
  });
  useEffect(() => {
    if (place.current === null) return;
    const begun = first.current;
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: begun.value,
        extensions: [
          EditorView.cspNonce.of(document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''),
          Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => (now.current.onRun?.(), true) }])),
          keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          history(),
          drawSelection(),
          ...(begun.numbered ? [lineNumbers()] : []),
          bracketMatching(),
          closeBrackets(),
          autocompletion(),
          syntaxHighlighting(colours),
          placeholder(begun.hint),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': begun.label, spellcheck: 'false' }),
          EditorView.updateListener.of((u) => {
            if (u.docChanged) now.current.onChange(u.state.doc.toString());
          }),
          parts.current.language.of([]),
          parts.current.wrong.of([]),
        ],
      }),
    });
    editor.current = view;
    return () => view.destroy();
  }, []);
  useEffect(() => {
    const view = editor.current;
    if (view !== undefined && view.state.doc.toString() !== value) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    editor.current?.dispatch({ effects: parts.current.language.reconfigure(language) });
  }, [language]);
  useEffect(() => {
    const view = editor.current;
    if (view === undefined) return;
    const shown: Extension =
      wrong === undefined
        ? []
        : [marked(view.state.doc.toString(), wrong), EditorView.contentAttributes.of({ 'aria-invalid': 'true', ...(wrongBy === undefined ? {} : { 'aria-describedby': wrongBy }) })];
    view.dispatch({ effects: parts.current.wrong.reconfigure(shown) });
  }, [wrong, wrongBy, value]);
  useImperativeHandle(
    handle,
    () => ({
      insert: (text, back = 0) => {
        const view = editor.current;
        if (view === undefined) return;
        view.dispatch(view.state.replaceSelection(text));
        if (back > 0) view.dispatch({ selection: { anchor: view.state.selection.main.head - back } });
        view.focus();
      },
      show: (at) => {
        const view = editor.current;
        if (view === undefined) return;
        view.dispatch({ selection: { anchor: Math.min(at, view.state.doc.length) }, scrollIntoView: true });
        view.focus();
      },
    }),
    [],
  );
  return <div ref={place} className="code-field" />;
}

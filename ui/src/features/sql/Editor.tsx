import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { PostgreSQL, sql } from '@codemirror/lang-sql';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, Prec } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useImperativeHandle, useRef, type Ref } from 'react';
import type { View } from './api';
import { quoted } from './result';

/** What others do with the editor. */
export interface EditorHandle {
  /** Puts a text where the cursor is, in place of what is selected. */
  insert: (text: string) => void;
  /** Shows a place, from 0, and puts the cursor there. */
  show: (at: number) => void;
}

interface Props {
  label: string;
  hint: string;
  value: string;
  views: readonly View[];
  onChange: (value: string) => void;
  /** What Ctrl+Enter (⌘+Enter) does. */
  onRun: () => void;
  handle: Ref<EditorHandle>;
}

// Colours are those of the theme, so that both schemes have theirs.
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], class: 'sql-keyword' },
  { tag: [tags.string, tags.special(tags.string)], class: 'sql-string' },
  { tag: [tags.number, tags.bool, tags.null], class: 'sql-number' },
  { tag: [tags.lineComment, tags.blockComment], class: 'sql-comment' },
]);

/** A field for a statement, with completion of views and columns. Tab leaves it, as any other field. */
export function Editor({ label, hint, value, views, onChange, onRun, handle }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(undefined);
  const language = useRef(new Compartment());
  const first = useRef({ label, hint, value });
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
          Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => (now.current.onRun(), true) }])),
          keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          history(),
          drawSelection(),
          lineNumbers(),
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
          language.current.of([]),
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
    const names = Object.fromEntries(views.map((v) => [v.name, v.columns.map((c) => ({ label: c.name, apply: quoted(c.name), detail: c.type, type: 'property' }))]));
    editor.current?.dispatch({ effects: language.current.reconfigure(sql({ dialect: PostgreSQL, schema: names, upperCaseKeywords: true })) });
  }, [views]);
  useImperativeHandle(
    handle,
    () => ({
      insert: (text) => {
        const view = editor.current;
        if (view === undefined) return;
        view.dispatch(view.state.replaceSelection(text));
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
  return <div ref={place} className="sql-editor" />;
}

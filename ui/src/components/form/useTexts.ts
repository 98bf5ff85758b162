import { useState, type ChangeEvent } from 'react';

/** The texts of a form by name, and what makes an input hold one of them. */
export function useTexts<Name extends string>(first: Record<Name, string>) {
  const [texts, setTexts] = useState(first);
  const field = (name: Name) => ({
    value: texts[name],
    onChange: (e: ChangeEvent<HTMLInputElement>) => {
      const { value } = e.currentTarget;
      setTexts((now) => ({ ...now, [name]: value }));
    },
  });
  return { texts, field, reset: () => setTexts(first) };
}

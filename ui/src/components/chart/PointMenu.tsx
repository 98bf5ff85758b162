import { UnstyledButton } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, type KeyboardEvent } from 'react';
import type { PointAction } from './spec';

interface Props {
  /** What the step is called. */
  label: string;
  actions: readonly PointAction[];
  /** Where the step lies, and how wide the chart is, in pixels. */
  place: number;
  width: number;
  /** Called when the menu goes, with whether something was chosen. */
  onClose: (chosen: boolean) => void;
}

/** What can be done with a step of a chart, beside it. */
export function PointMenu({ label, actions, place, width, onClose }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const items = () => [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  useEffect(() => {
    list.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus({ preventScroll: true });
  }, []);
  const onOutside = useEffectEvent((e: PointerEvent) => {
    if (e.target instanceof Node && list.current?.contains(e.target) !== true) onClose(false);
  });
  useEffect(() => {
    const listen = (e: PointerEvent) => onOutside(e);
    window.addEventListener('pointerdown', listen);
    return () => window.removeEventListener('pointerdown', listen);
  }, []);
  const onKey = (e: KeyboardEvent) => {
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[e.key];
    if (to !== undefined) all[(to + all.length) % all.length]?.focus();
    else if (e.key === 'Escape' || e.key === 'Tab') onClose(false);
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  const beyond = place > width / 2;
  return (
    <div ref={list} role="menu" tabIndex={-1} aria-label={label} className="point-menu" style={beyond ? { right: width - place } : { left: place }} onKeyDown={onKey}>
      {actions.map(({ label: name, run }) => (
        <UnstyledButton
          key={name}
          role="menuitem"
          tabIndex={-1}
          className="point-action"
          onClick={() => {
            onClose(true);
            run();
          }}
        >
          {name}
        </UnstyledButton>
      ))}
    </div>
  );
}

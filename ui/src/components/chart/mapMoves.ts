import { useEffect, useRef, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import { dragged, whole, zoomed, type MapView, type Size } from './mapView';

/** How far a pointer may move while it clicks, in pixels. */
const slack = 5;
const step = 1.6;
const walk = 60;

interface Moves {
  place: RefObject<HTMLElement | null>;
  size: Size;
  view: MapView;
  onMove: (view: MapView) => void;
  onPoint: (x: number, y: number) => void;
  onHover: (at: { x: number; y: number } | undefined) => void;
}

interface Spot {
  x: number;
  y: number;
}

/**
 * Moves a map by pointer, wheel and keys. A wheel belongs to the page until the map has been clicked; with the control key, as touchpads
 * send it for two fingers, it always belongs to the map.
 */
export function useMapMoves({ place, size, view, onMove, onPoint, onHover }: Moves) {
  const held = useRef(new Map<number, Spot>());
  const travelled = useRef(0);

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const turn = (e: WheelEvent) => {
      if (!e.ctrlKey && !e.metaKey && !element.contains(document.activeElement)) return;
      e.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      onMove(zoomed(view, size, Math.exp(-Math.max(-60, Math.min(60, e.deltaY)) / 150), e.clientX - left, e.clientY - top));
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, [place, view, size, onMove]);

  const spot = (e: PointerEvent): Spot => {
    const { left, top } = e.currentTarget.getBoundingClientRect();
    return { x: e.clientX - left, y: e.clientY - top };
  };
  return {
    onPointerDown: (e: PointerEvent) => {
      if (e.button !== 0) return;
      if (held.current.size === 0) travelled.current = 0;
      held.current.set(e.pointerId, spot(e));
    },
    onPointerMove: (e: PointerEvent) => {
      const now = spot(e);
      const before = held.current.get(e.pointerId);
      if (before === undefined) {
        if (e.pointerType === 'mouse') onHover(now);
        return;
      }
      const other = [...held.current].find(([id]) => id !== e.pointerId)?.[1];
      const [dx, dy] = [now.x - before.x, now.y - before.y];
      travelled.current += Math.hypot(dx, dy);
      if (other === undefined && travelled.current < slack) return;
      if (e.pointerType === 'mouse') e.currentTarget.setPointerCapture(e.pointerId);
      held.current.set(e.pointerId, now);
      onHover(undefined);
      if (other === undefined) onMove(dragged(view, size, dx, dy));
      else {
        const [was, is] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(now.x - other.x, now.y - other.y)];
        onMove(dragged(zoomed(view, size, is / Math.max(1, was), (now.x + other.x) / 2, (now.y + other.y) / 2), size, dx / 2, dy / 2));
      }
    },
    onPointerUp: (e: PointerEvent) => {
      const at = spot(e);
      if (held.current.delete(e.pointerId) && held.current.size === 0 && travelled.current < slack) {
        if (e.pointerType !== 'mouse') onHover(at);
        onPoint(at.x, at.y);
      }
    },
    onPointerCancel: (e: PointerEvent) => held.current.delete(e.pointerId),
    onPointerLeave: (e: PointerEvent) => {
      if (e.pointerType === 'mouse') onHover(undefined);
    },
    onKeyDown: (e: KeyboardEvent) => {
      if (e.target !== e.currentTarget || e.altKey || e.ctrlKey || e.metaKey) return;
      const next = keyed(e.key, view, size);
      if (next === undefined) return;
      e.preventDefault();
      onMove(next);
    },
  };
}

/** The view after a key; nothing for keys that mean nothing to a map. */
export function keyed(key: string, view: MapView, size: Size): MapView | undefined {
  switch (key) {
    case '+':
    case '=':
      return zoomed(view, size, step);
    case '-':
      return zoomed(view, size, 1 / step);
    case '0':
    case 'Home':
      return whole;
    case 'ArrowLeft':
      return dragged(view, size, walk, 0);
    case 'ArrowRight':
      return dragged(view, size, -walk, 0);
    case 'ArrowUp':
      return dragged(view, size, 0, walk);
    case 'ArrowDown':
      return dragged(view, size, 0, -walk);
    default:
      return undefined;
  }
}

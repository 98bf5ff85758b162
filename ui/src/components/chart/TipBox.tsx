import type { Tip } from './reading';

interface Props {
  tip: Tip;
  /** Where what is pointed at lies, and how wide the chart is, in pixels. */
  at: number;
  width: number;
}

/** Says what is under the pointer, beside it. */
export function TipBox({ tip, at, width }: Props) {
  const beyond = at > width / 2;
  return (
    <div className="tip" style={beyond ? { right: width - at + 14 } : { left: at + 14 }}>
      <div className="tip-title">{tip.title}</div>
      {tip.rows.map(({ name, value, color }, i) => (
        <div key={i} className="tip-row">
          <span className="tip-dot" style={color === undefined ? undefined : { background: color }} />
          <span>{name}</span>
          <strong>{value}</strong>
        </div>
      ))}
    </div>
  );
}

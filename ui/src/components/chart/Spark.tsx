import './spark.css';

/** The course of a figure in the small; what has the numbers stands elsewhere. */
export function Spark({ values }: { values: readonly (number | undefined)[] }) {
  const top = Math.max(0, ...values.map((n) => n ?? 0));
  const width = 4;
  return (
    <svg className="spark" viewBox={`0 0 ${String(Math.max(1, values.length) * width)} 24`} preserveAspectRatio="none" aria-hidden focusable="false">
      {values.map((n, i) => {
        const none = n === undefined || n <= 0;
        const height = none ? 1 : Math.max(2, (n / top) * 24);
        return <rect key={i} x={i * width} y={24 - height} width={3} height={height} data-none={none} />;
      })}
    </svg>
  );
}

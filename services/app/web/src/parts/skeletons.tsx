import classes from './skeletons.module.css';

const WIDTHS = ['62%', '48%', '70%', '55%', '40%'];

/** Rows that are on their way. */
export function RowsSkeleton({ rows = 5 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={classes.row}>
          <span className={classes.bar} style={{ width: WIDTHS[index % WIDTHS.length] }} />
        </div>
      ))}
    </div>
  );
}

export function PageSkeleton() {
  return (
    <div className={classes.page}>
      <span className={classes.title} />
      <RowsSkeleton rows={6} />
    </div>
  );
}

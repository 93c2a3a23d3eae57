import { useEffect, type ReactNode } from 'react';
import classes from './page.module.css';

interface Props {
  title: string;
  /** One sentence about what the page is for. */
  intro?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** One heading and one title for each page. */
export function Page({ title, intro, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Postroom`;
  }, [title]);
  return (
    <>
      <header className={classes.head}>
        <div className={classes.words}>
          <h1>{title}</h1>
          {intro && <p className={classes.intro}>{intro}</p>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </>
  );
}

/** A part of a page under a heading of its own. */
export function Section({ title, intro, actions, children }: Props) {
  return (
    <section className={classes.section}>
      <header className={classes.head}>
        <div className={classes.words}>
          <h2>{title}</h2>
          {intro && <p className={classes.intro}>{intro}</p>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  );
}

import { useEffect, useState } from 'react';
import { untilText } from './until-text.ts';

const SECOND_MS = 1_000;

/** The time until something happens by itself. */
export function Countdown({ to }: { to: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return <span role="timer">{untilText(Date.parse(to) - now)}</span>;
}

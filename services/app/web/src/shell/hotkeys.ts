import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { usePresent } from '../api/session.ts';
import { pagesFor } from './pages.ts';
import { moveRow, pressInRow } from './rows.ts';

const SEQUENCE_MS = 1_200;

interface Overlays {
  openPalette(): void;
  openHelp(): void;
}

/** The keys that work on every page; those of lists move the focus between rows. */
export function useHotkeys({ openPalette, openHelp }: Overlays): void {
  const [, go] = useLocation();
  const { workspace, features } = usePresent();
  const latest = useRef<(event: KeyboardEvent) => boolean>(() => false);
  const wentAt = useRef(Number.NEGATIVE_INFINITY);

  latest.current = (event) => {
    if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') return did(openPalette);
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || isDialogOpen()) return false;
    if (event.timeStamp - wentAt.current < SEQUENCE_MS) {
      wentAt.current = Number.NEGATIVE_INFINITY;
      const page = pagesFor(workspace.role, features).find(({ key }) => key === event.key);
      return page !== undefined && did(() => go(page.path));
    }
    if (event.key === 'g') wentAt.current = event.timeStamp;
    if (event.key === '?') return did(openHelp);
    if (event.key === '/') return press('[data-filter]', 'focus');
    if (event.key === 'c') return press('[data-primary]', 'click');
    if (press(`[data-page-key="${CSS.escape(event.key)}"]`, 'click')) return true;
    if (event.key === 'j') return moveRow(1);
    if (event.key === 'k') return moveRow(-1);
    if (event.key === 'z') return press('[data-undo]', 'click');
    return pressInRow(event.key);
  };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (latest.current(event)) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

function did(act: () => void): true {
  act();
  return true;
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && !isCheck(target)));

const isCheck = (target: HTMLElement) => target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type);

const isDialogOpen = () => document.querySelector('[role=dialog], [role=menu]') !== null;

function press(selector: string, what: 'focus' | 'click'): boolean {
  const element = document.querySelector<HTMLElement>(selector);
  element?.[what]();
  return element !== null;
}

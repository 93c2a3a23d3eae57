import { lazy, Suspense, useState, type ReactNode } from 'react';
import { ActionIcon } from '@mantine/core';
import { useLocation } from 'wouter';
import { Icon } from '../parts/icon.tsx';
import { useHotkeys } from './hotkeys.ts';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const KeyHelp = lazy(async () => ({ default: (await import('./key-help.tsx')).KeyHelp }));

/** The frame of every page: ways to the others, the palette, and the keys that work everywhere. */
export function Shell({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  const [openMenuAt, setOpenMenuAt] = useState<string | null>(null);
  const [overlay, setOverlay] = useState<'palette' | 'keys' | null>(null);
  useHotkeys({ openPalette: () => setOverlay('palette'), openHelp: () => setOverlay('keys') });
  const isMenuOpen = openMenuAt === location;

  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <section aria-label="Bar" className={classes.bar}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Menu"
          aria-expanded={isMenuOpen}
          aria-controls="side"
          onClick={() => setOpenMenuAt(isMenuOpen ? null : location)}
        >
          <Icon name="menu" />
        </ActionIcon>
        <span className={classes.brand}>Postroom</span>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Search and commands"
          onClick={() => setOverlay('palette')}
        >
          <Icon name="search" />
        </ActionIcon>
      </section>
      <aside id="side" aria-label="Sidebar" className={classes.side} data-open={isMenuOpen || undefined}>
        <Navigation openPalette={() => setOverlay('palette')} openHelp={() => setOverlay('keys')} />
      </aside>
      <main id="content" tabIndex={-1} className={classes.content}>
        {children}
      </main>
      <Suspense>
        {overlay === 'palette' && <Palette close={() => setOverlay(null)} openHelp={() => setOverlay('keys')} />}
        {overlay === 'keys' && <KeyHelp close={() => setOverlay(null)} />}
      </Suspense>
    </div>
  );
}

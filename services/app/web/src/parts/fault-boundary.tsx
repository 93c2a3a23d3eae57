import { Component, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import { EmptyState } from './empty-state.tsx';
import { Page } from './page.tsx';

interface Props {
  children: ReactNode;
}

/** A page that fails, or whose file is gone after an upgrade, would leave the window empty. React knows this only of classes. */
export class FaultBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <Broken /> : this.props.children;
  }
}

function Broken() {
  return (
    <Page title="Page not shown">
      <EmptyState
        title="This page could not be shown"
        text="Postroom may have been upgraded since it was loaded. Nothing of your work on the server is lost."
        action={<Button onClick={() => window.location.reload()}>Load again</Button>}
      />
    </Page>
  );
}

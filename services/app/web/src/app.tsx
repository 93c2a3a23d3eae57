import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { Router } from 'wouter';
import { queryClient } from './api/use-answer.ts';
import { Routes } from './routes.tsx';
import { styleNonce } from './style-nonce.ts';
import { cssVariables, theme } from './theme.ts';

export function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={cssVariables}
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" limit={4} />
        <Router base="/app">
          <Routes />
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  );
}

import { Modal } from '@mantine/core';
import type { ListOf, ProviderAnswer } from '@postroom/app/answers';
import { invalidate, queryClient, useAnswer } from '../api/use-answer.ts';
import { ConnectForm } from './connect-form.tsx';
import { useConnecting } from './connecting.ts';
import { FirstSync } from './first-sync.tsx';

/** The login, each step of it, and then the first sync. */
export function ConnectDialog({ close, path }: { close(): void; path: string }) {
  const providers = useAnswer<ListOf<ProviderAnswer>>('/providers').data?.items ?? [];
  const connecting = useConnecting(path);
  const end = () => {
    connecting.stop();
    void invalidate(queryClient, [path]);
    close();
  };
  const title = connecting.mailbox ? 'The mailbox is connected' : 'New mailbox';
  return (
    <Modal opened onClose={end} title={title} closeOnClickOutside={false}>
      {connecting.mailbox ? (
        <FirstSync mailbox={connecting.mailbox} path={path} done={end} />
      ) : (
        <ConnectForm providers={providers} connecting={connecting} cancel={end} />
      )}
    </Modal>
  );
}

import { useState } from 'react';
import { Modal } from '@mantine/core';
import { usePresent } from '../api/session.ts';
import { curlOf } from '../parts/curl.ts';
import { Example, SecretOnce } from '../parts/secret-once.tsx';
import { KeyForm, type MadeKey } from './key-form.tsx';

/** The form, and then the secret. */
export function CreateKey({ isOpen, close, path }: { isOpen: boolean; close(): void; path: string }) {
  const { apiUrl } = usePresent();
  const [made, setMade] = useState<MadeKey | null>(null);
  const end = () => {
    close();
    setMade(null);
  };
  return (
    <Modal
      opened={isOpen}
      onClose={end}
      title={made ? `Key "${made.key.name}" is ready` : 'New key'}
      closeOnClickOutside={!made}
    >
      {made ? (
        <SecretOnce
          label="Secret"
          secret={made.secret}
          advice="Copy the secret now: only its hash is kept, and nobody can show it again."
          done={end}
        >
          <Example title="Try it:" text={`KEY=${made.secret}\n${curlOf({ apiUrl, path: '/emails?limit=2' })}`} />
        </SecretOnce>
      ) : (
        <KeyForm path={path} done={setMade} cancel={end} />
      )}
    </Modal>
  );
}

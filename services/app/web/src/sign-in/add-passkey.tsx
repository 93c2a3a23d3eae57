import { useState } from 'react';
import { Button } from '@mantine/core';
import { queryClient, invalidate } from '../api/use-answer.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import { say } from '../parts/toasts.tsx';
import { deviceName } from './device-name.ts';
import { registerDevice, canUsePasskeys } from './passkeys.ts';

/** Registers the device, or a key that is plugged in. */
export function AddPasskey() {
  const [fault, setFault] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  if (!canUsePasskeys()) {
    return <p className="soft">Passkeys need https, or localhost: open this page under such an address to add one.</p>;
  }
  const add = async () => {
    setBusy(true);
    setFault(null);
    await registerDevice(deviceName(navigator.userAgent))
      .then(({ name }) => say(`Passkey added: ${name}`))
      .then(() => invalidate(queryClient, ['/account/passkeys']))
      .catch(setFault);
    setBusy(false);
  };
  return (
    <div>
      <FaultNote error={fault} />
      <p className="soft">A passkey signs you in with your fingerprint, your face or the lock of this device.</p>
      <Button mt={10} variant="default" loading={isBusy} onClick={() => void add()}>
        Add passkey
      </Button>
    </div>
  );
}

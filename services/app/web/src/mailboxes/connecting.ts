import { useRef, useState } from 'react';
import type { ConnectEvent } from '@postroom/app/answers';
import { callForLines } from '../api/call.ts';
import { AppFault } from '../api/fault.ts';
import { IDLE, withEvent, type Connecting } from './connecting-state.ts';

/** A connection, step by step as the server tells it. */
export function useConnecting(path: string) {
  const [state, setState] = useState<Connecting>(IDLE);
  const aborter = useRef<AbortController | null>(null);

  const begin = async (body: object) => {
    const controller = new AbortController();
    aborter.current = controller;
    setState({ ...IDLE, isBusy: true });
    try {
      const { requestId, lines } = await callForLines<ConnectEvent>(path, { body, signal: controller.signal });
      for await (const event of lines) setState((present) => withEvent(present, event, requestId));
      setState((present) =>
        present.isBusy ? { ...present, isBusy: false, fault: present.fault ?? cutOff() } : present,
      );
    } catch (fault) {
      if (!controller.signal.aborted) setState((present) => ({ ...present, isBusy: false, fault }));
    }
  };
  const stop = () => aborter.current?.abort();
  return { ...state, begin, stop };
}

const cutOff = () => new AppFault(0, 'NO_ANSWER', 'The connection to the server broke off. Try again.', null);

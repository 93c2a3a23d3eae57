import { connect } from 'node:tls';
import { isIP } from 'node:net';
import { loginFaultOf, type LoginFault } from './login-fault.ts';
import { isExplicit, serverAt } from './server-address.ts';

const LIMIT_MS = 8_000;

interface Found {
  /** It has a scheme when only a connection could tell when TLS begins. */
  address: string;
  fault?: LoginFault | undefined;
}

/** Connects to find out whether the server answers, and when TLS begins if the address does not tell. */
export async function tryTls(address: string, ca: string | undefined, protocol: 'imap' | 'smtp'): Promise<Found> {
  const { security } = serverAt(address, ca);
  // The client of the protocol checks a connection that begins without TLS.
  if (isExplicit(address) && security !== 'tls') return { address };
  const fault = await handshakeFault(address, ca);
  if (isExplicit(address)) return { address, fault };
  if (fault === 'no_tls') return { address };
  return { address: `${protocol}s://${address}`, fault };
}

function handshakeFault(address: string, ca: string | undefined): Promise<LoginFault | undefined> {
  const { host, port } = serverAt(address, ca);
  return new Promise((resolve) => {
    const servername = isIP(host) ? '' : host;
    const socket = connect({ host, port, servername, timeout: LIMIT_MS, minVersion: 'TLSv1.2', ...(ca && { ca }) });
    const end = (fault?: LoginFault) => {
      socket.destroy();
      resolve(fault);
    };
    socket.once('timeout', () => end('too_slow'));
    socket.once('secureConnect', () => end());
    socket.once('error', (error) => end(loginFaultOf(error)));
    socket.once('close', () => end('unreachable'));
  });
}

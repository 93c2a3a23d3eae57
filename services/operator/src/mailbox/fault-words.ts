import { isOneOf } from '@postroom/contract/lists';
import { LOGIN_FAULTS, type LoginFault } from '@postroom/mail-server/login-fault';

type Words = (way: 'imap' | 'smtp', isByToken: boolean) => string;

const usualPort = (way: 'imap' | 'smtp') => (way === 'imap' ? '993' : '465 or 587');

const words: Readonly<Record<LoginFault, Words>> = {
  host_not_found: (way) => `there is no host of this name; check how --${way} is written`,
  unreachable: (way) =>
    `nothing answers there; check the port (usually ${usualPort(way)}) and the firewalls on the way`,
  no_tls: (way) =>
    `no TLS is spoken on this port, neither from the start nor by STARTTLS, and no password is sent without; usually it is ${usualPort(way)}`,
  unknown_authority: () => 'its certificate is of an authority that is not known here; name that one with --ca FILE',
  wrong_name: (way) => `its certificate is for another name; give --${way} the name that stands in it`,
  expired_certificate: () => 'its certificate is out of date, or the clock of this machine is wrong',
  no_login: (way) => `no login is offered on this port; usually it is ${usualPort(way)}`,
  login_refused: (way, isByToken) =>
    isByToken
      ? `the access token was refused; check --user, and that the grant covers ${way.toUpperCase()} (scope)`
      : 'user name or password were refused; many providers want an app password, or OAuth by --oauth-file',
  too_slow: (way) => `no answer came in time; check the port (usually ${usualPort(way)}) and try again`,
  other: () => 'the login did not work, and the server does not say why; try again later',
};

/** The fault and what to do about it. A service of another version may report a fault that is not in this list. */
export function wordsFor(fault: string, way: 'imap' | 'smtp', isByToken: boolean): string {
  return words[isOneOf(LOGIN_FAULTS, fault) ? fault : 'other'](way, isByToken);
}

#pragma D option bufpolicy

//! The images of the machine.

use tracewell_types::Guid;

/// An image file that can be mapped.
pub(crate) struct Image {
    pub(crate) path: &'static str,
    pub(crate) base: u64,
    pub(crate) size: u64,
    pub(crate) checksum: u32,
    pub(crate) time_stamp: u32,
}

const fn image(path: &'static str, base: u64, size: u64, checksum: u32, time_stamp: u32) -> Image {
    Image { path, base, size, checksum, time_stamp }
}

/// Every image of the machine. The first [`KERNEL_IMAGES`] belong to the kernel.
pub(crate) static IMAGES: &[Image] = &[
    image(r"\SystemRoot\system32\ntoskrnl.exe", 0xFFFF_F803_1200_0000, 0x104_6000, 0x00A6_1F3E, 0x5E3B_1F52),
    image(r"\SystemRoot\system32\hal.dll", 0xFFFF_F803_1310_0000, 0xA_3000, 0x000A_9D12, 0x5E3B_1F01),
    image(
        r"\SystemRoot\System32\drivers\tcpip.sys",
        0xFFFF_F803_1480_0000,
        0x2E_C000,
        0x002F_0A55,
        0x5E3B_2077,
    ),
    image(
        r"\SystemRoot\System32\drivers\Ntfs.sys",
        0xFFFF_F803_1520_0000,
        0x2B_1000,
        0x002B_7E40,
        0x5E3B_2101,
    ),
    image(
        r"\SystemRoot\System32\drivers\storport.sys",
        0xFFFF_F803_1590_0000,
        0xA_9000,
        0x000B_11C8,
        0x5E3B_2144,
    ),
    image(r"\SystemRoot\System32\win32kfull.sys", 0xFFFF_9A21_0D60_0000, 0x3B_4000, 0x003B_9C11, 0x5E3B_2200),
    image(
        r"\Device\HarddiskVolume3\Windows\System32\ntdll.dll",
        0x7FFB_4C1D_0000,
        0x1F_0000,
        0x001F_6A0B,
        0x5E3B_1FFF,
    ),
    image(
        r"\Device\HarddiskVolume3\Windows\System32\kernel32.dll",
        0x7FFB_4AA0_0000,
        0xB_D000,
        0x000C_3D21,
        0x5E3B_1A20,
    ),
    image(
        r"\Device\HarddiskVolume3\Windows\System32\KernelBase.dll",
        0x7FFB_49E1_0000,
        0x2C_9000,
        0x002C_FE01,
        0x5E3B_1A91,
    ),
    image(
        r"\Device\HarddiskVolume3\Windows\System32\ws2_32.dll",
        0x7FFB_4B30_0000,
        0x6_B000,
        0x0006_F1A2,
        0x5E3B_1B00,
    ),
    image(
        r"\Device\HarddiskVolume3\Windows\System32\user32.dll",
        0x7FFB_4B90_0000,
        0x1A_0000,
        0x001A_5B3C,
        0x5E3B_1B44,
    ),
    image(
        r"\Device\HarddiskVolume3\Windows\SysWOW64\ntdll.dll",
        0x7713_0000,
        0x1A_3000,
        0x001A_93FE,
        0x5E3B_1FFE,
    ),
    image(
        r"\Device\HarddiskVolume3\Windows\System32\smss.exe",
        0x7FF7_3D11_0000,
        0x2_9000,
        0x0002_E1B0,
        0x5E3A_0001,
    ),
    image(
        r"\Device\HarddiskVolume3\Windows\System32\csrss.exe",
        0x7FF6_0A4C_0000,
        0x7000,
        0x0000_C55A,
        0x5E3A_0002,
    ),
    image(
        r"\Device\HarddiskVolume3\Windows\System32\services.exe",
        0x7FF7_9A70_0000,
        0xB_6000,
        0x000B_92F1,
        0x5E3A_0003,
    ),
    image(
        r"\Device\HarddiskVolume3\Windows\System32\svchost.exe",
        0x7FF6_5D90_0000,
        0x1_0000,
        0x0001_8A4D,
        0x5E3A_0004,
    ),
    image(
        r"\Device\HarddiskVolume3\Windows\explorer.exe",
        0x7FF7_06B3_0000,
        0x45_2000,
        0x0045_E3A7,
        0x5E3A_0005,
    ),
    image(
        r"\Device\HarddiskVolume3\Program Files\Quill\Quill.exe",
        0x7FF6_C120_0000,
        0x31_4000,
        0x0031_A001,
        0x5DF0_8811,
    ),
    image(
        r"\Device\HarddiskVolume3\Program Files\Heron\Heron.exe",
        0x7FF6_4E80_0000,
        0x9_2000,
        0x0009_6D21,
        0x5E2C_4410,
    ),
    image(
        r"\Device\HarddiskVolume3\Program Files\Heron\heron_core.dll",
        0x7FFB_1A00_0000,
        0x612_0000,
        0x0612_88F0,
        0x5E2C_4411,
    ),
    image(
        r"\Device\HarddiskVolume3\Program Files\OakDB\bin\oakdb.exe",
        0x7FF7_5B00_0000,
        0x82_0000,
        0x0082_4B4E,
        0x5D9A_7A01,
    ),
    image(r"\Device\HarddiskVolume3\Shop\ShopApi.exe", 0x7FF7_8F20_0000, 0x2_8000, 0x0002_CCD1, 0x5E39_1234),
    image(
        r"\Device\HarddiskVolume3\Program Files\dotnet\shared\Microsoft.NETCore.App\3.1.1\coreclr.dll",
        0x7FFB_2C40_0000,
        0x58_3000,
        0x0058_FF10,
        0x5E01_6B22,
    ),
    image(r"\Device\HarddiskVolume3\Shop\ShopApi.dll", 0x1_E2F0_0000, 0x4_E000, 0, 0x5E39_1230),
    image(r"\Device\HarddiskVolume3\Tools\ninja.exe", 0x7FF6_1F30_0000, 0x8_1000, 0x0008_7F21, 0x5D11_0102),
    image(r"\Device\HarddiskVolume3\Tools\bin\CL.exe", 0x7FF7_4190_0000, 0x6_C000, 0x0006_F9B2, 0x5DDD_0A10),
    image(r"\Device\HarddiskVolume3\Tools\bin\c2.dll", 0x7FFB_0E10_0000, 0x51_7000, 0x0051_B401, 0x5DDD_0A11),
    image(
        r"\Device\HarddiskVolume3\Tools\bin\LINK.exe",
        0x7FF6_9C50_0000,
        0x1C_2000,
        0x001C_8D0F,
        0x5DDD_0A12,
    ),
    image(
        r"\Device\HarddiskVolume3\Program Files\Guard\GuardSvc.exe",
        0x7FF6_EE00_0000,
        0x12_3000,
        0x0012_9E10,
        0x5E1F_3301,
    ),
    image(
        r"\Device\HarddiskVolume3\Program Files\Vault\VaultBackup.exe",
        0x7FF7_1C80_0000,
        0x9_9000,
        0x0009_D111,
        0x5CAF_0107,
    ),
    image(
        r"\Device\HarddiskVolume3\Program Files (x86)\Invoicer\Invoicer.exe",
        0x0040_0000,
        0x8_8000,
        0x0009_12A1,
        0x4F2A_1100,
    ),
    image(
        r"\Device\HarddiskVolume3\Windows\System32\wpr.exe",
        0x7FF7_D000_0000,
        0x5_D000,
        0x0006_1100,
        0x5E3A_0006,
    ),
    image(
        r"\Device\HarddiskVolume3\Windows\System32\NOTEPAD.EXE",
        0x7FF6_8810_0000,
        0x3_8000,
        0x0003_D2E0,
        0x5E3A_0007,
    ),
];

/// Number of [`IMAGES`] that belong to the kernel.
pub(crate) const KERNEL_IMAGES: usize = 6;

/// Index of the image whose path ends in `name`.
pub(crate) fn image_index(name: &str) -> usize {
    let tail = |path: &str| path.rsplit('\\').next().unwrap_or_default().eq_ignore_ascii_case(name);
    IMAGES.iter().position(|image| tail(image.path)).unwrap_or(0)
}

/// Images every 64-bit program maps besides its own.
pub(crate) const COMMON_IMAGES: [&str; 3] = ["ntdll.dll", "kernel32.dll", "KernelBase.dll"];

/// The signature of an image's program database; its age is 1.
pub(crate) fn signature(index: usize) -> Guid {
    let image = &IMAGES[index];
    Guid::new(image.checksum, image.time_stamp as u16, 0x4A5B, [0x91, 2, 3, 4, 5, 6, 7, index as u8])
}

/// The file name of an image's program database.
pub(crate) fn database_name(image: &Image) -> String {
    let name = image.path.rsplit('\\').next().unwrap_or_default();
    let (stem, _) = name.rsplit_once('.').unwrap_or((name, ""));
    format!("{stem}.pdb")
}

"""The vision tower of dots.ocr, which is our own, against its definition."""

from itertools import product

import torch


def test_the_vision_tower_of_dots_turns_each_patch_by_its_row_and_column():
    """Patches come in blocks of 2 x 2, the blocks row by row."""
    from docparse.models.dots_model import DEFAULTS, VisionTower

    tower = VisionTower(DEFAULTS | {"embed_dim": 32, "num_attention_heads": 2, "num_hidden_layers": 0})
    rows, columns = 4, 6
    cosines, sines = tower.rotation(torch.tensor([[1, rows, columns]]))
    places = product(range(0, rows, 2), range(0, columns, 2), range(2), range(2))
    order = [(r + i, c + j) for r, c, i, j in places]
    frequencies = torch.tensor([10_000 ** (-k / 4) for k in range(4)])
    for patch, (row, column) in enumerate(order):
        angles = torch.cat([row * frequencies, column * frequencies]).repeat(2)
        torch.testing.assert_close(cosines[patch], angles.cos())
        torch.testing.assert_close(sines[patch], angles.sin())


def test_pictures_of_one_batch_do_not_see_each_other_in_the_tower_of_dots(twin, noise):
    vlm = twin("dots.ocr")
    first, second = (vlm.encode(noise(100, 140, seed), "Read.").inputs for seed in (1, 2))
    tower = vlm.model.vision_tower
    pixels = [each["pixel_values"].double() for each in (first, second)]
    grids = [each["image_grid_thw"] for each in (first, second)]
    with torch.no_grad():
        together = tower(torch.cat(pixels), torch.cat(grids))
        apart = torch.cat([tower(*each) for each in zip(pixels, grids, strict=True)])
    torch.testing.assert_close(together, apart)
